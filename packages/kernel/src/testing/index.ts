export * from './house.ts'
export * from './idle-kernel.ts'
