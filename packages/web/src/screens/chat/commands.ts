/** Owns what a command of the conversation does here. It never reaches a model. */
import { parseSlash, type RunId, type SlashCommand, slashCommands } from '@countersign/contract'
import { useGo } from '../../environment/route.ts'
import { useServices } from '../../environment/services.tsx'
import { useNotify } from '../../kit/index.ts'
import { words } from '../../words/chat.tsx'

export interface CommandContext {
  readonly run: RunId | null
  readonly stop: () => void
  readonly queue: (text: string) => void
  readonly help: () => void
}

/** True where the line was a command and is done with, false where it stays to be mended, undefined for a message. */
export function useCommands({ run, stop, queue, help }: CommandContext) {
  const go = useGo()
  const notify = useNotify()
  const { client } = useServices()
  const told = (work: Promise<unknown>) =>
    void work.catch((error: Error) => notify({ text: error.message, tone: 'bad' }))
  const wrong = (text: string) => {
    notify({ text, tone: 'bad' })
    return false
  }
  return (line: string): boolean | undefined => {
    const command = parseSlash(line)
    if (command === undefined) return undefined
    const place = placeOf(command, run)
    if (place !== null) go(place)
    switch (command.kind) {
      case 'unknown':
        return wrong(words.commands.unknown(command.name))
      case 'incomplete':
        return wrong(
          words.commands.incomplete(
            command.name,
            slashCommands.find(({ name }) => name === command.name)?.takes ?? '',
          ),
        )
      case 'exit':
      case 'show':
      case 'model':
        return wrong(words.commands.unknown(command.kind))
      case 'queue':
        queue(command.text)
        break
      case 'stop':
        stop()
        break
      case 'help':
        help()
        break
      case 'pause':
        told(client.pause())
        break
      case 'resume':
        told(client.resume())
    }
    return true
  }
}

/** Where the screen is that has it; null for what has none. A request is decided where all of it is shown. */
function placeOf(command: SlashCommand, run: RunId | null): string | null {
  switch (command.kind) {
    case 'new':
      return '/chat/new'
    case 'pending':
      return '/approvals'
    case 'approve':
    case 'deny':
      return `/approvals/${encodeURIComponent(command.code)}`
    case 'why':
      return `/ledger?q=${encodeURIComponent(command.ref)}`
    case 'status':
      return '/health'
    case 'cost':
      return '/costs'
    case 'undo':
      return run === null ? '/activity' : `/activity/${run}?undo=1`
    default:
      return null
  }
}
