import { NativeSelect } from '@mantine/core';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly values: readonly Value[];
  readonly textOf: (value: Value) => string;
  readonly onChoose: (value: Value) => void;
  readonly hiddenFrom?: 'sm';
}

/** A filter or order of a list. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, values, textOf, onChoose, hiddenFrom } = props;
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      data={values.map((one) => ({ value: one, label: textOf(one) }))}
      {...(hiddenFrom === undefined ? {} : { hiddenFrom })}
      onChange={(event) => {
        const chosen = values.find((one) => one === event.currentTarget.value);
        if (chosen !== undefined) {
          onChoose(chosen);
        }
      }}
    />
  );
}
