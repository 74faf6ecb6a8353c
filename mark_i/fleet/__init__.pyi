from .folder import FleetFolder as FleetFolder
from .report import last_screen as last_screen, write_fleet_report as write_fleet_report
from .watch import FleetNow as FleetNow, FleetWatch as FleetWatch, RunNow as RunNow, RunState as RunState
