"""What tests/atspi.sh runs: every screen of the window that is open, over AT-SPI. Ends with 1 where something that can be
reached says nothing."""
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

SCREENS = ["Explore", "Broadcast", "Images", "Timing", "Lessons", "Motion"]  # Ctrl+1 … Ctrl+6
MOST_NODES = 6000


def window():
    for _ in range(120):
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            program = desktop.get_child_at_index(i)
            if program and "tridescope" in (program.get_name() or "") and program.get_child_count():
                return program
        time.sleep(0.5)
    sys.exit("no window came up")


def children(node):
    return [node.get_child_at_index(i) for i in range(node.get_child_count())]


class Walk:
    def __init__(self):
        self.nodes = self.cells = self.tables = 0
        self.problems = []

    def look(self, node, path):
        if self.nodes > MOST_NODES:
            return
        states, role, name = node.get_state_set(), node.get_role_name(), (node.get_name() or "").strip()
        if path and not states.contains(Atspi.StateType.SHOWING):
            return
        if role == "page tab list" and not any(child and child.get_role_name() == "page tab" for child in children(node)):
            return  # a bar that no dock needs now: Qt parks it outside of the window
        self.nodes += 1
        path = path + [f"{role} '{name[:30]}'"]
        if states.contains(Atspi.StateType.FOCUSABLE) and not name:
            self.problems.append(" > ".join(path[-4:]) + ": no name")
        if role == "table":
            self.table(node, path)
            return
        for child in children(node):
            if child:
                self.look(child, path)

    def table(self, node, path):
        self.tables += 1
        rows, columns = Atspi.Table.get_n_rows(node), Atspi.Table.get_n_columns(node)
        for row in range(min(rows, 4)):
            for column in range(min(columns, 6)):
                cell = Atspi.Table.get_accessible_at(node, row, column)
                self.cells += 1
                if not cell or not cell.get_name():
                    self.problems.append(" > ".join(path[-3:]) + f": cell {row}, {column} says nothing")
                    return


def main():
    program, failed = window(), False
    time.sleep(3)
    subprocess.run(["bash", "-c", "xdotool windowfocus --sync $(xdotool search --onlyvisible --name Stridescope | tail -1)"], check=False)
    for number, screen in enumerate(SCREENS, 1):
        subprocess.run(["xdotool", "key", f"ctrl+{number}"], check=True)
        time.sleep(2)
        walk = Walk()
        walk.look(program, [])
        print(f"{screen}: {walk.nodes} nodes, {walk.tables} tables, {walk.cells} cells looked at")
        for problem in walk.problems:
            print("    " + problem)
        failed |= bool(walk.problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
