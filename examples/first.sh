#!/bin/sh
# A bot in the shell: it takes the first choice. Run it with --players "program:sh examples/first.sh,random".
while IFS= read -r line; do
  id=${line#*'"id": '}
  id=${id%%,*}
  case $line in
    *'"do": "hello"'*) printf '{"id": %s, "ok": true}\n' "$id" ;;
    *'"do": "choose"'*)
      choice=${line#*'"choices": ["'}
      printf '{"id": %s, "ok": true, "action": "%s"}\n' "$id" "${choice%%'"'*}"
      ;;
  esac
done
