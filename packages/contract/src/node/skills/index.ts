export * from './skill-file.ts'
