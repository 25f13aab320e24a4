import { useState } from 'react';
import type { Automation, Scope, Trigger } from '#contract/automations.ts';
import type { Connection } from '#contract/connections.ts';
import { AutomationEditor } from '#web/features/automations/AutomationEditor.tsx';
import { newInput } from '#web/features/automations/automation-form.ts';
import { usePreviewPeople } from '#web/features/automations/use-preview-people.ts';
import { settingsPath } from '#web/paths.ts';
import { ButtonLink } from '#web/shell/ButtonLink.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Select } from '#web/ui/inputs.tsx';
import { EmptyState } from '#web/ui/states.tsx';

type Props = {
  automation: Automation | null;
  connections: Connection[];
  /** The only door it can be for; any when left out. */
  trigger?: Trigger;
  /** Where a new one begins to listen; anywhere when left out. */
  scope?: Scope;
  onCreated: (automationId: string) => void;
  onDeleted: () => void;
};

/** The editor without a post: for any door, anywhere. With several accounts a new one says first which of them it is for. */
export function AnyPostAutomation({ automation, connections, trigger, scope, onCreated, onDeleted }: Props) {
  const instagram = connections.filter(({ platform, health }) => platform === 'instagram' && health !== 'disconnected');
  const [connectionId, setConnectionId] = useState(automation?.connectionId ?? instagram[0]?.id ?? null);
  // Its state at the start: saving a new one must not take the editor away.
  const [start] = useState(automation);
  const people = usePreviewPeople(connectionId ?? '');
  if (connectionId === null) {
    return (
      <EmptyState
        title="No Instagram account connected"
        action={<ButtonLink to={settingsPath('connections')}>Connect an account</ButtonLink>}
      >
        Connect an account to set up an automation.
      </EmptyState>
    );
  }
  return (
    <AutomationEditor
      key={connectionId}
      automation={start}
      fresh={newInput({
        connectionId,
        postId: null,
        suggestedWords: [],
        ...(trigger && { trigger }),
        ...(scope && { scope }),
      })}
      {...(trigger && { triggers: [trigger] })}
      post={null}
      people={people}
      above={
        start === null &&
        instagram.length > 1 && (
          <Field label="Account">
            {(wiring) => (
              <Select {...wiring} value={connectionId} onChange={(event) => setConnectionId(event.target.value)}>
                {instagram.map((connection) => (
                  <option key={connection.id} value={connection.id}>
                    @{connection.username}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )
      }
      onCreated={(created) => onCreated(created.id)}
      onDeleted={onDeleted}
    />
  );
}
