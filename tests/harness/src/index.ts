export * from './house.ts'
export * from './send-signed.ts'
