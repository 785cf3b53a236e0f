export * from './compose.ts'
export * from './context.ts'
export { basePrompts } from './guidelines.ts'
