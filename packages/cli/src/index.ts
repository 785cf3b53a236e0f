/** The operator's command line. */
export { type CommandRow, commandTable, globalOptions } from './command-table.ts'
export { type Host, systemHost } from './host.ts'
export { run } from './program.ts'
