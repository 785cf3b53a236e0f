/**
 * Owns docs/developers/architecture.mmd: the processes, the packages in each and the arrows between them, drawn from the
 * arrows that the boundaries allow. With `--write` it writes the file.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageArrows } from './boundaries.ts'
import { repository } from './workspace.ts'

export const diagramPath = 'docs/developers/architecture.mmd'

/** Every package stands in one of them. */
const places: readonly {
  readonly id: string
  readonly title: string
  readonly packages: readonly string[]
}[] = [
  { id: 'surfaces', title: 'Surfaces of the operator', packages: ['cli', 'web'] },
  {
    id: 'gateway_process',
    title: 'Gateway: decides, and holds no authority above T2',
    packages: ['gateway', 'views', 'assistant', 'models', 'agent', 'kernel', 'policy', 'engine', 'database'],
  },
  {
    id: 'executor_process',
    title: 'Executor: verifies each permit itself, and acts',
    packages: ['executor', 'tools'],
  },
  {
    id: 'channel_processes',
    title: 'Channels: one process for each, believed by nobody',
    packages: ['channels'],
  },
  {
    id: 'node_process',
    title: 'Node: an executor on another computer, which believes the operator',
    packages: ['node'],
  },
  { id: 'shared', title: 'Shapes that all of them share', packages: ['contract'] },
  { id: 'beside', title: 'Beside the product', packages: ['verify', 'tool-lab'] },
]

/** What goes from process to process, which no import shows. */
const flows = [
  'surfaces == signed requests, one WebSocket ==> gateway_process',
  'gateway_process == permits ==> executor_process',
  'executor_process == outcomes ==> gateway_process',
  'gateway_process == permits, over a WebSocket that the node dials ==> node_process',
  'node_process == outcomes ==> gateway_process',
  'channel_processes == what came in ==> gateway_process',
  'gateway_process == what goes out ==> channel_processes',
]

export function architectureDiagram(arrows: Readonly<Record<string, readonly string[]>>): string {
  const placed = places.flatMap(({ packages }) => packages)
  const missing = Object.keys(arrows).filter((name) => !placed.includes(name))
  if (missing.length > 0) throw new Error(`The diagram has no place for ${missing.join(', ')}.`)
  const imports = Object.entries(arrows).flatMap(([from, entries]) =>
    [...new Set(entries.map((entry) => entry.split('/', 1)[0] ?? ''))].map((to) => `  ${from} --> ${to}`),
  )
  return [
    '%% Made by scripts/architecture-diagram.ts from the arrows of scripts/boundaries.ts.',
    'flowchart TB',
    ...places.flatMap(({ id, title, packages }) => [
      `  subgraph ${id} ["${title}"]`,
      ...packages.map((name) => `    ${name}`),
      '  end',
    ]),
    ...flows.map((flow) => `  ${flow}`),
    ...imports,
    '',
  ].join('\n')
}

if (import.meta.main && process.argv.includes('--write'))
  writeFileSync(join(repository, diagramPath), architectureDiagram(packageArrows))
