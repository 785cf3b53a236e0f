/** What the `index.tsx` of a screen's folder exports as `screen`. */
import type { ComponentType } from 'react'

export interface Screen {
  readonly component: ComponentType
}
