import type { ToolDefinition } from '../definition.ts'
import { analyzeImage } from './analyze-image.ts'
import { editImage } from './edit-image.ts'
import { generateImage } from './generate-image.ts'
import { imageVariation } from './image-variation.ts'
import { resizeImage } from './resize-image.ts'

export const imageTools: readonly ToolDefinition[] = [
  analyzeImage,
  generateImage,
  editImage,
  imageVariation,
  resizeImage,
]
