/** The checks of a host that the command line and the gateway share, and what may be repaired of what they find. */
export * from './accounts.ts'
export * from './channels.ts'
export * from './finding.ts'
export * from './gateway-log.ts'
export * from './home.ts'
export * from './host.ts'
export * from './repair.ts'
export * from './speech.ts'
