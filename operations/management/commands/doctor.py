import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from operations.diagnosis import diagnose


class Command(BaseCommand):
    help = "Check the installation; exits 1 where something needs attention."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = diagnose()
        if options["json"]:
            self.stdout.write(json.dumps([asdict(finding) for finding in findings], indent=2))
        else:
            for finding in findings:
                mark = self.style.SUCCESS("ok  ") if finding.ok else self.style.ERROR("fail")
                self.stdout.write(f"{mark} {finding.name:12} {finding.says}")
        if not all(finding.ok for finding in findings):
            raise SystemExit(1)
