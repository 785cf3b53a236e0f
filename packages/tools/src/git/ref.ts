/** Owns the words that move a reference in one step, and only from where it is said to stand. */
export function moveRef(ref: string, from: string | null, to: string | null): string[] {
  if (to === null) return ['update-ref', '--no-deref', '-d', ref, from ?? '']
  return ['update-ref', '--no-deref', '-m', 'undo', ref, to, from ?? '0'.repeat(to.length)]
}
