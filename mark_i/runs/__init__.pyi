from .attachments import checked as checked
from .playback import play_back as play_back, why_no_outcome as why_no_outcome
from .step_images import HALO as HALO, RING as RING, Shot as Shot, shots_of as shots_of
from .stop_file import stop_run as stop_run
from .store import (
    Summary as Summary,
    by_version as by_version,
    delete as delete,
    find_run as find_run,
    goals as goals,
    is_running as is_running,
    spent as spent,
    summaries as summaries,
)
