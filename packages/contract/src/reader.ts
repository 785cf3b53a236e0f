/** Owns the names around readers: the tool that opens one, the agent that a run of one is shown as, and all that it has. */
export const readerTool = 'read_web'
export const readerAgent = 'reader'
export const readerTools: readonly string[] = ['search_web', 'fetch_web_page']
