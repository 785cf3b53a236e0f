/** Owns how the state is kept: one after the other, and whoever asks is told when what is true now is kept. */
import type { ChannelContext } from '../frame/adapter.ts'

export function createSureKeeper(
  { keep, signal }: Pick<ChannelContext<unknown>, 'keep' | 'signal'>,
  state: () => Promise<string>,
): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  return () => {
    next ??= last
      .catch(() => undefined)
      .then(async () => {
        // From here on, what changes is for the one after this.
        next = undefined
        const text = await state()
        // Nobody answers any more.
        signal.throwIfAborted()
        await keep(text)
      })
    last = next
    return next
  }
}
