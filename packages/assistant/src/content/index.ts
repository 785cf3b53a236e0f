export { type Content, createContent } from './content.ts'
export type { FileVersion, WorkspaceText, WorkspaceTexts } from './files.ts'
export { contentMigration } from './migration.ts'
export { type ContentSearch, createContentSearch } from './operator-search.ts'
