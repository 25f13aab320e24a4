import { useState } from 'react';
import { useNavigate } from 'react-router';
import { CorrectionInput, createCorrection, listBroadcasts, readSavers } from '#contract/newsletters.ts';
import { TELLING } from '#web/features/newsletters/words.ts';
import { paths } from '#web/paths.ts';
import { FormFrame, useApiForm, useFieldError } from '#web/shell/form.tsx';
import { useEndpoint } from '#web/shell/queries.ts';
import { useCreator } from '#web/shell/session.ts';
import { Button } from '#web/ui/Button.tsx';
import { Card } from '#web/ui/Card.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Field } from '#web/ui/Field.tsx';
import { Textarea } from '#web/ui/inputs.tsx';
import { useNow } from '#web/ui/RelativeTime.tsx';

/** Tells whoever saved a recipe what was wrong in it. Nothing while nobody did. */
export function TellSavers({ recipeId }: { recipeId: string }) {
  const { creatorId } = useCreator();
  const now = useNow();
  const [asking, setAsking] = useState(false);
  const savers = useEndpoint(readSavers, { params: { creatorId, recipeId } });
  if (!savers.data || savers.data.count === 0) return null;
  const { count, nextAt } = savers.data;
  return (
    <Card title={TELLING.title(count)} description={nextAt === null ? TELLING.says : TELLING.wait(nextAt, now)}>
      <Button variant="secondary" disabled={nextAt !== null} onClick={() => setAsking(true)}>
        {TELLING.tell(count)}
      </Button>
      {asking && <Telling recipeId={recipeId} count={count} onClose={() => setAsking(false)} />}
    </Card>
  );
}

function Telling({ recipeId, count, onClose }: { recipeId: string; count: number; onClose: () => void }) {
  const { creatorId } = useCreator();
  const navigate = useNavigate();
  const form = useApiForm({
    endpoint: createCorrection,
    schema: CorrectionInput,
    defaultValues: { text: '' },
    request: (body) => ({ params: { creatorId, recipeId }, body }),
    draftKey: `correction:${recipeId}`,
    refreshes: [listBroadcasts],
    onSuccess: ({ id }) => navigate(`${paths.newsletter}/${id}?step=send`),
  });
  const error = useFieldError(form.control, 'text');
  return (
    <Dialog open onOpenChange={onClose} title={TELLING.tell(count)} description={TELLING.means(count)}>
      <FormFrame
        form={form}
        submitLabel={TELLING.write}
        actions={
          <Button variant="quiet" onClick={onClose}>
            {TELLING.cancel}
          </Button>
        }
      >
        <Field label={TELLING.text} error={error}>
          {(wiring) => (
            <Textarea {...wiring} placeholder={TELLING.example} maxLength={2000} {...form.register('text')} />
          )}
        </Field>
      </FormFrame>
    </Dialog>
  );
}
