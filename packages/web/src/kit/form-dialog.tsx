/**
 * Owns windows that a person fills in or confirms: fields with their problems, one button that does it, and what went
 * wrong when it did not. It closes once it is done, and never before.
 */
import { type ReactNode, type SubmitEvent, useId, useRef } from 'react'
import { words } from '../words/common.ts'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import type { Form } from './form.ts'
import { FormError } from './form-error.tsx'
import { hearsKeys } from './hears-keys.ts'
import { type Submitting, useSubmit } from './submit.ts'

export interface FormDialogProps extends Pick<DialogProps, 'onClose' | 'title' | 'description' | 'size'> {
  /** Of `useForm`. Without one there is nothing to fill in, only to confirm. */
  readonly form?: Pick<Form<object>, 'check'> | undefined
  /** What the button says: the verb of the title. */
  readonly submit: string
  /** Does it. The window closes when that succeeds, and says why when it does not. */
  readonly onSubmit: () => Promise<unknown>
  /** `danger` for what takes something away; the focus is then on Cancel. */
  readonly tone?: 'go' | 'danger'
  readonly disabled?: boolean | undefined
  readonly children?: ReactNode
}

/** Shown while it is mounted: `{adding ? <AddDialog onClose={…} /> : null}`. */
export function FormDialog({
  form,
  submit,
  onSubmit,
  tone = 'go',
  disabled = false,
  children,
  ...window
}: FormDialogProps) {
  const id = useId()
  const focus = useRef<HTMLElement>(null)
  const submitting = useSubmit(form, onSubmit, window.onClose)
  return (
    <Dialog
      {...window}
      open
      focus={focus}
      actions={
        <>
          <Button
            variant="quiet"
            onClick={window.onClose}
            ref={(button) => {
              focus.current ??= button
            }}
          >
            {words.cancel}
          </Button>
          <Button
            type="submit"
            form={id}
            variant={tone}
            busy={submitting.isBusy}
            disabled={disabled && !submitting.isBusy}
          >
            {submitting.isBusy ? words.working : submit}
          </Button>
        </>
      }
    >
      <DialogForm
        id={id}
        submitting={submitting}
        onFirst={(first) => {
          if (tone !== 'danger') focus.current = first
        }}
      >
        {children}
      </DialogForm>
    </Dialog>
  )
}

function DialogForm({
  id,
  submitting,
  onFirst,
  children,
}: {
  id: string
  submitting: Submitting
  /** Told what is filled in first: it has the focus, and not the button that closes. */
  onFirst: (control: HTMLElement) => void
  children: ReactNode
}) {
  return (
    <form
      id={id}
      noValidate
      ref={(form: HTMLFormElement | null) => {
        const first = form?.querySelector<HTMLElement>('input, textarea, select')
        if (first !== null && first !== undefined) onFirst(first)
        return hearsKeys(submitsByKey)(form)
      }}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        // Another form around this one must not hear of it.
        event.stopPropagation()
        submitting.submit(event.currentTarget)
      }}
      className="space-y-4"
    >
      {children}
      {submitting.error === null ? null : <FormError error={submitting.error} />}
    </form>
  )
}

/** In a text of several lines Enter begins a line, so Ctrl and Enter submit. */
export function submitsByKey(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return
  event.preventDefault()
  const form = event.currentTarget as HTMLFormElement
  form.requestSubmit()
}
