/** Which model answers the next message. What was chosen stays chosen for the conversation. */

import type { SessionId } from '@countersign/contract'
import { useState } from 'react'
import { useAnsweringModels, useSessions } from '../../environment/queries.ts'
import { Select } from '../../kit/index.ts'
import { words } from '../../words/chat.tsx'

/** Nothing is sent along while nothing was chosen anew: the gateway remembers what was. */
export function useModelChoice(session: SessionId | null) {
  const kept = useSessions().data?.find(({ id }) => id === session)?.model ?? ''
  const [chosen, setChosen] = useState<string | null>(null)
  return {
    value: chosen ?? kept,
    choose: setChosen,
    sent: chosen === null || chosen === kept ? {} : { model: chosen === '' ? null : chosen },
  }
}

export function ModelSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const models = useAnsweringModels()
  const isListed = value === '' || models.some(({ ref }) => ref === value)
  return (
    <Select
      label={words.model.label}
      hideLabel
      className="max-w-56 truncate border-transparent bg-transparent text-small"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      options={[
        ['', words.model.usual],
        ...(isListed ? [] : [[value, value] as const]),
        ...models.map(({ ref, title }) => [ref, title] as const),
      ]}
    />
  )
}
