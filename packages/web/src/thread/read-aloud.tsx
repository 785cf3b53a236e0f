/** The button that has a reply read aloud. One reply is read at a time. */
import { Square, Volume2 } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSpeechPorts } from '../deciding/use-speech-ports.ts'
import { useAnnounce } from '../environment/announcer.tsx'
import { Button, useNotify } from '../kit/index.ts'
import { words } from '../words/speech.ts'
import { readAloud } from './reading.ts'

const beginning = 'countersign:reading-aloud'

export function ReadAloud({ text, onlyHere }: { text: string; onlyHere: boolean }) {
  const ports = useSpeechPorts()
  const notify = useNotify()
  const announce = useAnnounce()
  const [state, setState] = useState<'silent' | 'preparing' | 'speaking'>('silent')
  const stopper = useRef<AbortController | null>(null)
  const stop = useCallback(() => {
    stopper.current?.abort()
    stopper.current = null
    setState('silent')
  }, [])
  useEffect(() => {
    window.addEventListener(beginning, stop)
    return () => {
      window.removeEventListener(beginning, stop)
      stop()
    }
  }, [stop])
  async function read() {
    window.dispatchEvent(new Event(beginning))
    const mine = new AbortController()
    stopper.current = mine
    setState('preparing')
    announce(words.preparing)
    try {
      const onSpeaking = () => setState('speaking')
      await readAloud(ports, { text, onlyHere, onSpeaking, signal: mine.signal })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const isOwn = reason === words.noVoice || reason === words.nothingToRead
      if (!mine.signal.aborted) notify({ text: isOwn ? reason : words.notRead(reason), tone: 'bad' })
    } finally {
      if (stopper.current === mine) stop()
    }
  }
  const isOn = state !== 'silent'
  return (
    <Button
      variant="quiet"
      size="small"
      icon={isOn ? Square : Volume2}
      aria-pressed={isOn}
      aria-busy={state === 'preparing'}
      onClick={() => (isOn ? stop() : void read())}
    >
      {isOn ? words.stopReading : words.readAloud}
    </Button>
  )
}
