from .library import shipped as shipped
from .running import Workflow as Workflow, workflow_named as workflow_named
