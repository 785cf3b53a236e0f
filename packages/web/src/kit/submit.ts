/** Owns one submit: nothing while a field is wrong or one is under way, and what went wrong. */
import { useState } from 'react'
import type { Form } from './form.ts'

export interface Submitting {
  readonly isBusy: boolean
  readonly error: Error | null
  /** Focuses the first field that is wrong, or does it. */
  readonly submit: (element: HTMLElement) => void
}

export function useSubmit(
  form: Pick<Form<object>, 'check'> | undefined,
  act: () => Promise<unknown>,
  onDone?: () => void,
): Submitting {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const work = async () => {
    setBusy(true)
    setError(null)
    try {
      await act()
      onDone?.()
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    } finally {
      setBusy(false)
    }
  }
  return {
    isBusy,
    error,
    submit(element) {
      if (isBusy) return
      if (form?.check() === false) {
        // The marks are there after the next drawing.
        requestAnimationFrame(() => element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
        return
      }
      void work()
    },
  }
}
