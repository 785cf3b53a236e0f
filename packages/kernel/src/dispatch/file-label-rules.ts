/** The rules of file labels that need no database, for whoever replays calls without a kernel. */
export { mayWriteAnywhere, scopesOf, writtenBy } from './file-labels.ts'
export { labelOfFiles } from './label-of-files.ts'
