export * from './house.ts'
