export * from './executor-process.ts'
export * from './fast-rates.ts'
export * from './installation.ts'
export * from './send-signed.ts'
