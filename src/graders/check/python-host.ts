/**
 * The program that runs checks in Python. It reads requests as lines of JSON, and answers with lines that begin with
 * its first argument. The output of checks goes to the null device.
 */
export const PYTHON_HOST = String.raw`
import ast, asyncio, importlib.util, inspect, json, math, os, sys, traceback, types

word = sys.argv[1]
requests = os.fdopen(os.dup(0), encoding="utf-8")
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
nothing = os.open(os.devnull, os.O_RDWR)
for number in (0, 1, 2):
    os.dup2(nothing, number)
try:
    import resource
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
except Exception:
    pass

NAMES = ["output", "vars", "metadata", "expected", "question", "criteria", "turns", "tool_calls", "calls",
         "transcript", "test_id", "target", "duration_ms", "cost_usd", "workspace_path", "config", "context"]
known = {}

def tell(answer):
    answers.write(word + " " + json.dumps(answer) + "\n")
    answers.flush()

def text_check(text):
    try:
        body = [ast.Return(ast.parse(text.strip(), "check", "eval").body)]
    except SyntaxError:
        body = ast.parse(text, "check").body
    module = ast.parse("def check(" + ", ".join(NAMES) + "): pass", "check")
    module.body[0].body = body
    space = {"__name__": "check"}
    exec(compile(ast.fix_missing_locations(module), "check", "exec"), space)
    return lambda given: space["check"](**given)

paths = list(sys.path)
inside = ""
own = {}

def enter(folder):
    # Each folder of checks has modules of its own: two folders may both have helpers.py.
    global inside
    if folder == inside:
        return
    if inside:
        own[inside] = {name: module for name, module in list(sys.modules.items()) if lies_in(inside, module)}
        for name in own[inside]:
            del sys.modules[name]
    sys.modules.update(own.get(folder, {}))
    sys.path[:] = [folder, *paths] if folder else paths
    importlib.invalidate_caches()
    inside = folder

def lies_in(folder, module):
    places = [getattr(module, "__file__", None), *list(getattr(module, "__path__", None) or [])]
    return any(isinstance(place, str) and place.startswith(folder.rstrip("/") + "/") for place in places)

def module_check(path):
    spec = importlib.util.spec_from_file_location("check_" + str(len(known)), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if callable(getattr(module, "check", None)):
        return lambda given: module.check(types.SimpleNamespace(**given))
    if callable(getattr(module, "get_assert", None)):
        return lambda given: module.get_assert(given["output"], given["context"])
    raise TypeError(path + " has no check: write def check(input), which returns True or False")

class Context(dict):
    # What promptfoo has there and assay does not must not be None, and so give a wrong grade.
    def __missing__(self, key):
        if key in ("provider", "providerResponse", "logProbs", "trace"):
            raise LookupError('assay does not have context["' + key + '"]')
        raise KeyError(key)

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

def saw(facts):
    given = {"".join("_" + c.lower() if c.isupper() else c for c in key): value for key, value in facts.items()}
    calls = given["tool_calls"]
    given["calls"] = lambda tool=None: sum(1 for call in calls if tool is None or call["tool"] == tool)
    test = {"vars": given["vars"], "metadata": given["metadata"]}
    given["context"] = Context({**given, "prompt": given["question"], "test": test})
    return given

def said(check, facts):
    key = json.dumps(check, sort_keys=True)
    enter(os.path.dirname(check["path"]) if "path" in check else "")
    if key not in known:
        known[key] = module_check(check["path"]) if "path" in check else text_check(check["text"])
        tell({"began": True})
    answer = known[key](saw(facts))
    if inspect.isawaitable(answer):
        answer = asyncio.run(whole(answer))
    if isinstance(answer, dict) and "pass_" in answer:
        answer["pass"] = answer.pop("pass_")
    try:
        json.dumps(answer, allow_nan=False)
    except (TypeError, ValueError):
        return {"odd": repr(answer)[:120]}
    return {"answer": answer}

async def whole(answer):
    return await answer

def place(error):
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename != "<string>"]
    return " (" + frames[-1].filename + ":" + str(frames[-1].lineno) + ")" if frames else ""

for line in requests:
    request = json.loads(line)
    try:
        result = said(request["check"], request["facts"])
    except AssertionError as error:
        result = {"failed": str(error)}
    except SystemExit as error:
        result = {"fault": "the check called sys.exit(" + str(error.code) + ")"}
    except SyntaxError as error:
        result = {"fault": "the check is not Python: " + str(error.msg) + " (line " + str(error.lineno) + ")"}
    except BaseException as error:
        result = {"fault": "the check threw " + type(error).__name__ + ": " + str(error) + place(error)}
    tell({"python": result})
`;
