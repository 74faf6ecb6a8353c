"""Who provides models, and what each provider needs."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider of models: a vendor, a service that resells models, or a program on one's own machine.

    Attributes:
        name: the word for it.
        title: its name as people write it.
        brain: as in `--brain`, before the model.
        extra: the extra of the installation that it needs.
        keys: the name under which its key is saved; None if it needs none.
        page: the web page where one gets a key, or else the program.
        base_url: its address; None for a vendor, whose brain knows it. A program may listen elsewhere.
        hint: what else one has to know.
    """

    name: str
    title: str
    brain: str
    extra: str
    keys: str | None
    page: str
    base_url: str | None = None
    hint: str = ""


# Vendors come in the order in which a key that is there decides which model is used.
PROVIDERS: Final = (
    Provider("gemini", "Gemini", "gemini", "gemini", "gemini", "https://aistudio.google.com/apikey"),
    Provider("openai", "OpenAI", "openai", "openai", "openai", "https://platform.openai.com/api-keys"),
    Provider(
        "anthropic", "Anthropic", "anthropic", "anthropic", "anthropic", "https://platform.claude.com/settings/keys"
    ),
    Provider(
        "openrouter",
        "OpenRouter",
        "openai",
        "openai",
        "openai",
        "https://openrouter.ai/settings/keys",
        "https://openrouter.ai/api/v1",
        "Its key takes the place of OpenAI's.",
    ),
    Provider("ollama", "Ollama", "openai", "openai", None, "https://ollama.com/download", "http://localhost:11434/v1"),
    Provider("lm-studio", "LM Studio", "openai", "openai", None, "https://lmstudio.ai", "http://localhost:1234/v1"),
    Provider("vllm", "vLLM", "openai", "openai", None, "https://docs.vllm.ai", "http://localhost:8000/v1"),
    Provider(
        "llama.cpp",
        "llama.cpp",
        "openai",
        "openai",
        None,
        "https://github.com/ggml-org/llama.cpp",
        "http://localhost:8080/v1",
        "Pictures need the file that its option --mmproj names.",
    ),
)
VENDORS: Final = {one.name: one for one in PROVIDERS if one.base_url is None}
