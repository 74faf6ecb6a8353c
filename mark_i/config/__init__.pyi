from .about import ABOUT as ABOUT, GROUPS as GROUPS, About as About, Group as Group
from .api_keys import VARIABLES as VARIABLES, Keys as Keys
from .keyrings import (
    KeyringInUse as KeyringInUse,
    KeyringRefusedError as KeyringRefusedError,
    keyring_in_use as keyring_in_use,
)
from .paths import (
    DEFAULT_PROFILE as DEFAULT_PROFILE,
    nodes_folder as nodes_folder,
    profile_folder as profile_folder,
    runs_folder as runs_folder,
    settings_file as settings_file,
    skills_folder as skills_folder,
    tools_folder as tools_folder,
)
from .portal_token import PortalToken as PortalToken
from .settings import (
    ALWAYS_ON as ALWAYS_ON,
    Settings as Settings,
    as_text as as_text,
    load as load,
    parsed as parsed,
    save as save,
)
