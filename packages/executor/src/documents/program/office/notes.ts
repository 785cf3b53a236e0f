/** What is to be known of a document beside its text. */
export type OfficeNote = 'macros' | 'changes' | 'hidden'
