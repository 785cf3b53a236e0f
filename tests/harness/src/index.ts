export * from './installation.ts'
export * from './send-signed.ts'
