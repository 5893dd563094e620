import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { branchSource, DogearPanel } from '../../panel/index.tsx'
import type { Dogear } from '../../sdk/index.ts'
import { PolicyControls } from '../controls/PolicyControls.tsx'
import { Conversation } from '../conversation/Conversation.tsx'
import { problemOf } from '../player/problem.ts'
import { SiteHeader, useTheme } from '../SiteHeader.tsx'
import { Composer } from './Composer.tsx'
import type { Chat } from './chat.ts'
import { EndpointChoice } from './EndpointChoice.tsx'

export interface ChatPageProps {
  readonly dogear: Dogear
  readonly chat: Chat
}

/** A chat with tools under a ceiling, and the panel beside it. */
export function ChatPage({ dogear, chat }: ChatPageProps) {
  const state = useStore(chat.store)
  const { branch, policy, policyError, endpoint, hasContextTool, isAnswering, answer, error } = state
  const [theme, setTheme] = useTheme()
  const source = useMemo(() => branch && branchSource(dogear, branch), [dogear, branch])

  useEffect(() => {
    void chat.renew()
    // So that no request is sized by its bytes.
    void dogear.warmUp()
  }, [chat, dogear])

  return (
    <>
      <SiteHeader
        page="Chat"
        tagline="A model that works with tools, under an input ceiling. Give it its task, and watch dogear fold the conversation while it goes on, and the model read back what was folded."
        theme={theme}
        onTheme={setTheme}
      />
      <main>
        <section className="chat" aria-label="Chat">
          <PolicyControls
            key={branch?.id}
            policy={policy}
            problem={policyError && problemOf(policyError)}
            onChange={(asked) => void chat.setPolicy(asked)}
          />
          <EndpointChoice
            endpoint={endpoint}
            hasContextTool={hasContextTool}
            isDisabled={isAnswering}
            onEndpoint={chat.setEndpoint}
            onContextTool={chat.setContextTool}
          />
          {branch && (
            <Conversation
              key={branch.id}
              dogear={dogear}
              branch={branch}
              outcomes={[]}
              empty="The task below takes more than forty requests and many times the ceiling. Send it, and watch what is folded; move the ceiling while the model works. Everything happens in this page, and needs no key."
            />
          )}
          {answer !== '' && (
            <section className="answer" aria-label="Newest answer">
              {answer}
            </section>
          )}
          {error && (
            <p className="bad" role="alert">
              {error}
            </p>
          )}
          <Composer
            isAnswering={isAnswering}
            onSend={(text) => void chat.send(text)}
            onStop={chat.stop}
            onRenew={() => void chat.renew()}
          />
        </section>
        {source && <DogearPanel source={source} className="panel" {...(theme !== 'system' && { theme })} />}
      </main>
    </>
  )
}
