export { createViews, type Views } from './views.ts'
