/** The rules of file labels that need no database, for whoever replays calls without a kernel. */
export { mayWriteAnywhere, scopesOf, writtenBy } from './file-labels.ts'
export { marksSeen, unseenBy } from './hidden-files.ts'
export { labelOfFiles } from './label-of-files.ts'
