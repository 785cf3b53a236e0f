/** Owns what the microphone records, from when a person allows it until it is ended. What is discarded is kept nowhere. */

export interface Recording {
  /** Ends it and gives the file, named by the form that this browser records in. */
  readonly finish: () => Promise<File>
  readonly discard: () => void
}

/** In order of preference; every browser has one of them. */
const forms = [
  ['audio/webm;codecs=opus', 'webm'],
  ['audio/mp4', 'm4a'],
  ['audio/ogg;codecs=opus', 'ogg'],
] as const

/** Speech needs no more. */
const bitsPerSecond = 32_000

/** Throws what the browser says where there is no microphone or the person does not allow it. */
export async function startRecording(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const release = () => {
    for (const track of stream.getTracks()) track.stop()
  }
  try {
    const [mimeType, ending] = forms.find(([type]) => MediaRecorder.isTypeSupported(type)) ?? ['', 'webm']
    const recorder = new MediaRecorder(stream, {
      audioBitsPerSecond: bitsPerSecond,
      ...(mimeType === '' ? {} : { mimeType }),
    })
    const parts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    const ended = new Promise<void>((resolve) =>
      recorder.addEventListener('stop', () => resolve(), { once: true }),
    )
    recorder.start()
    const end = async () => {
      if (recorder.state !== 'inactive') recorder.stop()
      await ended
      release()
    }
    return {
      async finish() {
        await end()
        return new File(parts, `voice.${ending}`, { type: mimeType })
      },
      discard: () => void end(),
    }
  } catch (error) {
    release()
    throw error
  }
}
