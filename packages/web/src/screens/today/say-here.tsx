/** A message from Today: what is written here begins a conversation and leads to it. */
import { type FormEvent, useState } from 'react'
import { Button, TextField } from '../../kit/index.ts'
import { words } from '../../words/today.tsx'
import { useSay } from './say.ts'

export function SayHere({ online }: { online: boolean }) {
  const { say, busy } = useSay()
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '' && !busy) say(text.trim())
  }
  return (
    <form onSubmit={submit} className="mb-6 flex max-w-3xl gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label={words.say.label}
          hideLabel
          placeholder={words.say.label}
          value={text}
          maxLength={10_000}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <Button type="submit" busy={busy} disabled={!online || text.trim() === ''}>
        {words.say.send}
      </Button>
    </form>
  )
}
