export * from './limits.ts'
export * from './loop.ts'
export type * from './model-port.ts'
export * from './prompt.ts'
