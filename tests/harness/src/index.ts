export * from './house.ts'
export * from './database.ts'
