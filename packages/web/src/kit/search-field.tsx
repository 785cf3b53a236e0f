/** Owns a search whose words are part of the address. The address follows what is typed, and never takes a letter away. */
import { useEffect, useRef, useState } from 'react'
import { TextField } from './field.tsx'

export function SearchField({
  label,
  placeholder = label,
  value,
  onChange,
}: {
  label: string
  placeholder?: string
  /** As the address has it. */
  value: string
  onChange: (words: string) => void
}) {
  const [typed, setTyped] = useState(value)
  const address = useRef(value)
  const told = useRef<string[]>([])
  useEffect(() => {
    if (address.current === value) return
    address.current = value
    // What was typed a moment ago comes back as the address; only what somebody else wrote there is taken.
    const place = told.current.indexOf(value)
    if (place < 0) setTyped(value)
    told.current = told.current.slice(place + 1)
  }, [value])
  return (
    <TextField
      label={label}
      hideLabel
      type="search"
      placeholder={placeholder}
      value={typed}
      onChange={({ target }) => {
        told.current.push(target.value)
        setTyped(target.value)
        onChange(target.value)
      }}
    />
  )
}
