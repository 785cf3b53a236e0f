export { fold, reduce } from './reduce.ts'
export * from './select.ts'
export * from './state.ts'
export * from './text.ts'
