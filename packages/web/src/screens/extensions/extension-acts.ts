/** Owns what the buttons of an extension do, whatever its kind: each is a call of the operator through the door. */
import { useDirectCalls } from '../../deciding/use-direct-call.ts'
import { words } from '../../words/extensions.tsx'
import type { ExtensionRow, Kind } from './rows.ts'

/** By its kind: the tool, and the arguments by which it names the extension. */
const tools: Readonly<
  Record<
    Kind,
    {
      readonly turn: (name: string, on: boolean) => readonly [string, Readonly<Record<string, unknown>>]
      readonly pin: (name: string, pinned: boolean) => readonly [string, Readonly<Record<string, unknown>>]
      readonly remove: (name: string) => readonly [string, Readonly<Record<string, unknown>>]
    }
  >
> = {
  server: {
    turn: (server, on) => ['switch_server', { server, paused: !on }],
    pin: (server, pinned) => ['pin_server', { server, pinned }],
    remove: (server) => ['remove_server', { server }],
  },
  plugin: {
    turn: (server, on) => ['switch_server', { server, paused: !on, plugin: true }],
    pin: (server, pinned) => ['pin_server', { server, pinned, plugin: true }],
    remove: (server) => ['remove_server', { server, plugin: true }],
  },
  skill: {
    turn: (name, on) => ['switch_skill', { name, enabled: on }],
    pin: (name, pinned) => ['pin_skill', { name, pinned }],
    remove: (name) => ['remove_skill', { name }],
  },
}

export function useExtensionActs({ kind, name, isPaused, isPinned }: ExtensionRow) {
  const { act, call } = useDirectCalls('extensions')
  const of = tools[kind]
  return {
    togglePause: () => act(...of.turn(name, isPaused), (isPaused ? words.resumed : words.paused)(name)),
    togglePin: () => act(...of.pin(name, !isPinned), (isPinned ? words.unpinDone : words.pinDone)(name)),
    /** Throws what went wrong, for the window that confirms it. */
    remove: () => call(...of.remove(name), words.removing.done(name)),
  }
}
