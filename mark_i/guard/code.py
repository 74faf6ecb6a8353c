"""Code that destroys, changes or sends something, whatever it is typed into."""

import re
from typing import Final

_HARMFUL: Final = re.compile(
    r"""
    # shells
    \bfind\b[^\n]*\s-(?:delete|exec\w*)\b | (?:^|[;&|!`(]\s*)(?:sudo\s+)?rm\s+\S+ | \bdd\s+if= | \bmkfs | >\s*/dev/[sn]
    | \b(?:curl|wget|iwr)\b[^\n|]*\|\s*\w*sh\b | \bcurl\b[^\n]*\s(?:-[dFTX]\b|--(?:data|form|upload-file|request)\b)
    | \bgit\s+(?:push\b[^\n]*\s(?:-f|--force)\b | reset\s+--hard | clean\s+-)
    | \b(?:kubectl|docker|podman|helm|aws|gcloud|az|terraform|pulumi|systemctl)\s[^\n]*
      \b(?:delete|destroy|rmi?|prune|terminate\S*|uninstall|apply|stop|disable)\b
    | \b(?:Remove-Item|Invoke-Expression|Format-Volume|Clear-Content|Stop-Computer)\b | \bdel\s+/[sqf]\b
    # editors, whose own line runs a command
    | ^\s*:[\d%,$'<>]*!\s*\w+
    # Python and JavaScript
    | \bshutil\.(?:rmtree|move)\b | \bos\.(?:remove|unlink|rmdir|removedirs|system|popen|rename|kill)\b
    | \bsubprocess\.\w+ | \bchild_process\b | \.(?:unlink|rmdir|submit|requestSubmit|sendBeacon)\s*\(
    | \[\s*["'](?:submit|click)["']\s*\]\s*\( | \b(?:fetch|XMLHttpRequest|importScripts)\s*\( | \bdocument\.cookie\b
    | \b(?:local|session)Storage\.(?:clear|removeItem)\b | \bfs\.(?:rm|unlink|rmdir)\w*\s*\(
    # databases
    | \bupdate\s+\S+\s+set\s+\S+\s*= | \bdelete\s+from\s+\S+\s*(?:;|$|where\b) | \btruncate\s+(?:table\s+)?\w+\s*;
    | \bdrop\s+(?:table|database|schema|view|user|role|index)\s+\w+ | \binsert\s+into\s+\S+\s*(?:\(|values|select)
    | \balter\s+(?:table|user|role|database)\s+\S+\s+\w+
    | \bgrant\s+(?:all|select|insert|update|delete|create|drop|execute|usage)\b[^\n]*\s(?:on|to)\s
    | \bcreate\s+(?:user|role)\s+\S+
    | \.(?:delete(?:Many|One)|update(?:Many|One)|drop(?:Database)?)\s*\(
    # spreadsheets, whose formulas may fetch, send or run
    | ^\s*[=+@-]\s*(?:DDE|WEBSERVICE|IMPORT(?:XML|DATA|HTML|FEED|RANGE)|HYPERLINK|CALL|REGISTER|cmd)\s*[(|]
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)


def harmful_code(text: str) -> str | None:
    """Return the part of a text that destroys, changes or sends something where it is run."""
    found = _HARMFUL.search(text)
    return found.group().strip() if found else None
