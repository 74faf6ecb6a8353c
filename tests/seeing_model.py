"""A model that really looks for the button on the picture of a check."""

import base64
import io
from typing import Any

from PIL import Image

from mark_i.doctor.sample_screen import SCREEN
from mark_i.prompts.coordinates import Spaces
from mark_i.testing.protocols import Received
from tests.support import action
from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.perception.eyes import Eyes
from toolbelt.targeting.targets import resolve
from world_model import Point, Region


def found(picture: Image.Image) -> Point:
    """Where a picture shows the button."""
    control = Control()
    eyes = Eyes(FakeDesktop(lambda _: picture, control), control)
    eyes.show()
    return resolve("Confirm order", eyes, 0).point


def seeing(received: Received) -> Any:
    """Answer a request of OpenAI's kind in thousandths, since nobody knows where the button is."""
    [shown] = [part for part in received.body["messages"][1]["content"] if part["type"] == "image_url"]
    content = base64.b64decode(shown["image_url"]["url"].partition(",")[2])
    place = found(Image.open(io.BytesIO(content)).convert("RGB"))
    desktop = Region(0, 0, SCREEN.width, SCREEN.height)
    return action("click", target=Spaces("thousandths", desktop, SCREEN).named((place.x, place.y)))
