export * from './device-seals.ts'
export * from './house.ts'
export * from './idle-kernel.ts'
export * from './plain-mind.ts'
