export type { ModelConfig, ModelProvider } from './config.ts'
export { createModel } from './model.ts'
