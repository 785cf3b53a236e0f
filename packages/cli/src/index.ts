/** The operator's command line. */
export { type CardStyle, fullCard } from './card.ts'
export type { CommandRow } from './command-row.ts'
export { commandTable, globalOptions } from './command-table.ts'
export { type Host, systemHost } from './host.ts'
export { run } from './program.ts'
