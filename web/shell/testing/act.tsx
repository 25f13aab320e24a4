import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { makeQueryClient } from '#web/shell/query-client.ts';

type Action<Given> = (given: Given) => Promise<unknown>;

/** Does what a screen with this hook would do when a button of it is pressed; how it ends is shown in toasts. */
export async function act<Given>(
  useAction: () => Action<Given>,
  given: Given,
  client = makeQueryClient(),
): Promise<void> {
  const drawn: { action?: Action<Given> } = {};
  renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Screen useAction={useAction} onDrawn={(action) => Object.assign(drawn, { action })} />
    </QueryClientProvider>,
  );
  await drawn.action!(given).catch(() => {});
}

function Screen<Given>(props: { useAction: () => Action<Given>; onDrawn: (action: Action<Given>) => void }) {
  props.onDrawn(props.useAction());
  return null;
}
