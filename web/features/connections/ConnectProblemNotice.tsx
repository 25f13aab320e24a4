import { useSearchParams } from 'react-router';
import { ConnectProblem } from '#contract/connections.ts';
import { CONNECT_PROBLEMS } from '#web/features/connections/words.ts';
import { Alert } from '#web/ui/Alert.tsx';

/** Back from Meta without a connection (`?connectProblem=CODE`): what happened and what to do. */
export function ConnectProblemNotice() {
  const [search, setSearch] = useSearchParams();
  const code = search.get('connectProblem');
  if (code === null) return null;
  const known = ConnectProblem.safeParse(code);
  const { title, says, steps } = CONNECT_PROBLEMS[known.success ? known.data : 'meta_error'];
  const dismiss = () => {
    search.delete('connectProblem');
    setSearch(search, { replace: true });
  };
  return (
    <Alert variant="warning" title={title} onDismiss={dismiss} announce>
      <p>{says}</p>
      <ol className="mt-2 flex list-decimal flex-col gap-1 pl-5">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Alert>
  );
}
