/** A scripted model in a process of its own. What it answers depends only on the words of the operator. */
import { type ReplyCall, type Script, startModelServer } from '@countersign/model-servers'
import { answerParent } from '../side-process.ts'

export type ModelQuestion = 'start' | 'requestBytes'
export type ModelAnswer = { readonly url: string } | { readonly bytes: readonly number[] }

/** Proposes ten calls at once, or ten one by one in ten turns; answers everything else with a word. */
const script: Script = ({ lastUser, lastResults, messages }) => {
  const since = messages.length - 1 - messages.findLastIndex((message) => message.role === 'user')
  const turn = messages
    .slice(messages.length - since)
    .filter((message) => message.role === 'assistant').length
  if (lastUser === 'ten calls' && lastResults.length === 0)
    return { calls: Array.from({ length: 10 }, (_, index) => lookAt(index)) }
  if (lastUser === 'ten tasks' && lastResults.length === 0)
    return { calls: Array.from({ length: 10 }, (_, index) => addTask(index)) }
  if (lastUser === 'one task' && lastResults.length === 0) return { calls: [addTask(0)] }
  if (lastUser === 'ten turns' && turn < 10) return { calls: [lookAt(turn)] }
  return { text: 'Done.' }
}

function addTask(index: number): ReplyCall {
  return { name: 'add_task', args: { title: `Task ${index}`, priority: 'high' } }
}

/** Alternates, because the same tool many turns in a row is a limit of a run. */
function lookAt(index: number): ReplyCall {
  return index % 2 === 0
    ? { name: 'read_file', args: { path: `note-${index}.txt` } }
    : { name: 'list_directory', args: { path: `folder-${index}` } }
}

const server = await startModelServer({ script, keepRequests: 10 })

answerParent<{ question: ModelQuestion }, ModelAnswer>(({ question }) =>
  Promise.resolve(
    question === 'start' ? { url: server.url } : { bytes: server.requests.map((request) => request.bytes) },
  ),
)
