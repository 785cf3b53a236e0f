#!/bin/sh
# Three automations: at a time, when a file changes, and when a run ends. Each may look and change what can be undone
# (--tier-max 1), and costs five cents a run at most.
set -eu

countersign automation add "every weekday 8:00 send me a brief of what waits for me" \
  --name brief --tier-max 1 --max-cost 0.05 --missed once --quiet-hours 22:00-07:00

countersign automation add "read the new list and add what is missing to my tasks" \
  --name shopping --on file:lists/shopping.txt --tier-max 1 --max-cost 0.05

countersign automation add "write a line about it to notes/runs.txt" \
  --name diary --on ledger:budget.reached --tier-max 1 --max-cost 0.05
