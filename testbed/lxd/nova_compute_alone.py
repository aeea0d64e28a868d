"""Nova's own compute service without the rest of OpenStack: it does not wait for a conductor, and has no placement."""
import sys

from nova.cmd import compute
from nova.conductor import api
from nova.scheduler.client import report

api.API.wait_until_ready = lambda self, context, **_: None
report.SchedulerReportClient._create_client = lambda self: None
sys.exit(compute.main())
