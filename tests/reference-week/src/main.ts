/** The command: replays a reference week and prints what it asks and what it lets run. */
import { parseArgs } from 'node:util'
import { runFirst } from './main-v1.ts'
import { runSecond } from './v2/main-v2.ts'

const help = `Usage: node tests/reference-week/src/main.ts [--corpus v1|v2] [--details] [--causes] [--json] [--dump] [--write | --check]

  --corpus   v2: a technical person, an office worker and a household (default); v1: one person
  --details  more behind each figure
  --causes   what caused prompts, the most frequent first
  --json     all figures as JSON
  --dump     the calls of v2 without their labels, for whoever labels them anew
  --write    writes the figures that setup shows, and the line in README.md
  --check    ends with 1 where these are not current, or where something ran that must not run unasked
`

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: 'v2' },
    part: { type: 'string' },
    details: { type: 'boolean', default: false },
    causes: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    dump: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) process.stdout.write(help)
else
  process.exitCode =
    values.corpus === 'v1' || values.write || values.check ? runFirst(values) : await runSecond(values)
