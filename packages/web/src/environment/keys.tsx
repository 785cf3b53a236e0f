/** Owns who listens for keys: scopes register bindings, the innermost wins, and a dialog silences what is under it. */
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import { type Binding, isPlain, matchKeys, strokeOf } from './keymap.ts'

export interface KeyScope {
  readonly name: string
  readonly bindings: readonly Binding[]
  /** While it is there, only modal scopes hear keys. */
  readonly modal: boolean
}

export interface KeyRegistry {
  add(scope: KeyScope): () => void
  scopes(): readonly KeyScope[]
  subscribe(listener: () => void): () => void
}

export interface KeyOptions {
  readonly enabled?: boolean
  readonly modal?: boolean
}

export function createKeyRegistry(): KeyRegistry {
  let scopes: readonly KeyScope[] = []
  const listeners = new Set<() => void>()
  const set = (next: readonly KeyScope[]) => {
    scopes = next
    for (const listener of listeners) listener()
  }
  return {
    add(scope) {
      set([...scopes, scope])
      return () => set(scopes.filter((each) => each !== scope))
    },
    scopes: () => scopes,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The bindings that hear keys now, outermost first. */
export function audible(scopes: readonly KeyScope[]): readonly Binding[] {
  const modal = scopes.filter((scope) => scope.modal)
  return (modal.length > 0 ? modal : scopes).flatMap((scope) => scope.bindings)
}

const Registry = createContext<KeyRegistry | null>(null)

/** Registers the keys of a screen or a part of it. The bindings may change on every render. */
export function useKeys(name: string, bindings: readonly Binding[], options: KeyOptions = {}): void {
  const registry = useRegistry()
  const latest = useRef(bindings)
  useEffect(() => {
    latest.current = bindings
  })
  const { enabled = true, modal = false } = options
  const shape = bindings.map(({ keys, label, repeats, typing }) => [
    keys,
    label,
    repeats ?? false,
    typing ?? false,
  ])
  const signature = JSON.stringify(shape)
  useEffect(() => {
    if (!enabled) return
    const rows = JSON.parse(signature) as [string, string, boolean, boolean][]
    return registry.add({
      name,
      modal,
      bindings: rows.map(([keys, label, repeats, typing], index) => ({
        keys,
        label,
        repeats,
        typing,
        run: () => latest.current[index]?.run(),
      })),
    })
  }, [registry, name, modal, enabled, signature])
}

export function useKeyScopes(): readonly KeyScope[] {
  const registry = useRegistry()
  return useSyncExternalStore(registry.subscribe, registry.scopes)
}

/** Listens on the document for everything below it. */
export function KeyProvider({ letters, children }: { letters: boolean; children: ReactNode }) {
  const registry = useMemo(createKeyRegistry, [])
  useEffect(() => listen(document, registry, letters), [registry, letters])
  return <Registry value={registry}>{children}</Registry>
}

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)

function useRegistry(): KeyRegistry {
  const registry = useContext(Registry)
  if (registry === null) throw new Error('Keys are used outside of KeyProvider.')
  return registry
}

/** How long a begun sequence waits for its next stroke. */
const patienceMs = 1_500

function listen(target: Document, registry: KeyRegistry, letters: boolean): () => void {
  let pending = ''
  let begunAt = 0
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const stroke = strokeOf(event, isMac())
    if (stroke === undefined || isItsOwn(stroke, event.target)) return
    const typing = isTyping(event.target)
    const allowed = audible(registry.scopes()).filter((binding) =>
      isPlain(binding.keys)
        ? letters && !typing
        : !typing || binding.typing === true || binding.keys.startsWith('mod+'),
    )
    const begun = event.timeStamp - begunAt < patienceMs ? pending : ''
    const match = matchKeys(begun, stroke, allowed)
    pending = match.pending
    begunAt = event.timeStamp
    if (match.found === undefined) return
    event.preventDefault()
    if (!event.repeat || match.found.repeats === true) match.found.run()
  }
  target.addEventListener('keydown', onKey)
  return () => target.removeEventListener('keydown', onKey)
}

/** Space and Enter press what has the focus, whatever else they do on a screen. */
function isItsOwn(stroke: string, target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (stroke === 'space') return target.matches('button, summary, input, [role=button], [role=tab]')
  return stroke === 'enter' && target.matches('a, button, summary, [role=button], [role=tab]')
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type)
}
