// SPDX-License-Identifier: Apache-2.0
// The words by which failure_kind.cc tells the kind of a failure: phrases of messages, names of
// exceptions, words of codes, SQLSTATE classes. Included there alone.
#pragma once

#include "enfold/model/response.h"

#include <array>
#include <string_view>

namespace enfold::contract {

using model::ErrorKind;

struct PhraseGroup {
  ErrorKind kind;
  std::string_view phrases;  ///< separated by '|', in lower case; '*' as in first_of()
};

// Words that name a kind more exactly than any number does: services answer 403 for a used-up
// quota. The first group of which a phrase is in the message decides.
constexpr auto kStrongPhrases = std::to_array<PhraseGroup>({
    {ErrorKind::exhausted,
     "out of memory|oom command|oom-kill|oom killer|maxmemory|no space left|space exceeded|no "
     "capacity|disk full|disk usage "
     "exceeded|disk quota|watermark|too many open files|too many connections|too many clients|"
     "insufficient capacity|instance capacity|memory limit|connection slots|cannot allocate memory|"
     "heap out of memory|heap limit|resource busy|device or resource|queue is full|pool exhausted|"
     "storage is full|unable to allocate|quota '*exceeded|maximum number of|heap space|speicher "
     "voll|kein speicherplatz|espace disque|espacio en disco|磁盘空间|内存不足|メモリ不足|디스크 "
     "공간"},
    // Money and credit that are used up.
    {ErrorKind::exhausted,
     "sufficient fund|sufficient credit|sufficient balance|enough credit|insufficient quota|out of "
     "credit|no credits|no more credits|not enough credit|not enough fund|not enough balance|not "
     "enough money|credits*exhausted|credits*used up|credit balance|balance is too low|balance too "
     "low|run out of|ran out of|used up your|used up*credit|used up all|used all your|used all of "
     "your|plan and billing|"
     "spending limit|spend limit|budget exceeded|budget*exhausted|guthaben|solde insuffisant|"
     "crédit insuffisant|saldo insuficiente|fondos insuficientes|credito insufficiente|saldo "
     "insufficiente|onvoldoende saldo|недостаточно средств|残高不足|余额不足|餘額不足|잔액"},
    {ErrorKind::tier_too_low,
     "billing details|billing account|only available on the*plan|only available in the*plan|"
     "available on the*plan"},
    {ErrorKind::unauthenticated, "(using password|could not read username|terminal prompts"},
    {ErrorKind::bug, "image is malformed|database corruption|checksum mismatch"},
    {ErrorKind::conflict,
     "duplicate key|duplicate entry|primary key constraint|unique constraint|unique key"},
    {ErrorKind::too_large, "maximum context length|context window|prompt is too long"},
    {ErrorKind::throttled,
     "rate limit|rate-limit|rate_limit|ratelimit|too many requests|throttl|requests per|calls per|"
     "queries per|messages per|per minute|per second|slow down|slow your|too fast|too quickly|"
     "little fast|too often|too frequent|too many attempts|too many calls|too many queries|too "
     "many messages|too many questions|too many login|too many failed |too many tries|too many "
     "emails|too many concurrent|too many in a short|cooldown|cool down|flood control|flood wait|"
     "pull limit|request limit|usage limit|daily limit|hourly limit|rate exceeded|request rate|zu "
     "viele anfragen|zu schnell|zu viele versuche|te veel verzoeken|te veel aanvragen|zbyt wiele|"
     "trop de requêtes|trop de demandes|trop de tentatives|demasiados intentos|muitas requisições|"
     "muitas tentativas|troppi tentativi|demasiadas solicitudes|demasiadas peticiones|muitas "
     "solicitações|troppe richieste|слишком много|слишком "
     "часто|请求过于频繁|过于频繁|频率限制|请求过多|リクエストが多すぎ|"
     "リクエスト数の上限|回数の上限|回数制限|操作频繁|レート制限|요청이 너무 많|너무 많은 요청"},
    {ErrorKind::exhausted,
     "quota exceeded|quota has been exceeded|exceeded quota|exceeded your quota|exceeded your "
     "current quota|exceeded the quota|exceeds quota|exceeds your quota|quota exhausted|quota "
     "reached|quota*used up|quota for|over quota|kontingent|quota dépassé|quota atteint|cuota|"
     "превышена квота|квота|配额|クォータ|할당량"},
    {ErrorKind::tier_too_low,
     "upgrade to|upgrade your|upgrade the plan|upgrade required|requires pro|requires enterprise|"
     "requires the pro|requires the enterprise|requires a paid|paid plan|payment required|your "
     "plan|current plan|current license|license is|no license|subscription required|premium|trial "
     "has|trial period|higher plan|higher tier|pro plan|business plan|tarif*nicht enthalten|"
     "höheren tarif|abonnement|plan supérieur|plan superior|升级|アップグレード"},
    {ErrorKind::flag_off,
     "feature flag|feature is disabled|feature disabled|is not enabled|not been enabled|is "
     "disabled|are disabled|been disabled|disabled by|disabled for|turned off|switched off|is "
     "deactivated"},
});

// The phrase that comes first in the message decides; at the same place, that of the earlier group.
constexpr auto kPhrases = std::to_array<PhraseGroup>({
    {ErrorKind::unauthenticated,
     "must be logged in|must be authenticated|must authenticate|unauthorized|unauthenticated|"
     "username or password|invalid username|token inválid|token no válid|token ungültig|token non "
     "valid|token invalide|jeton|token ongeldig|token verlopen|inloggen|wachtwoord|aanmelden|"
     "nieprawidłowe hasło|hasło|zaloguj|uwierzyteln|nieprawidłowy token|令牌|凭证|not "
     "authenticated|"
     "not logged in|logged in|log in|login required|sign in|signing in|signin|authentication|"
     "authenticate|api key|credentials|invalid token|access token|token*expired|token is|token was|"
     "token*revoked|expired token|session*expired|session*invalid|invalid session|grant*expired|"
     "grant*invalid|invalid_grant|jwt|invalid signature|wrong password|incorrect password|"
     "password*incorrect|invalid password|publickey|anmeld|passwort|kennwort|non authentifié|mot "
     "de passe|no autenticado|contraseña|não "
     "autenticado|senha|credenziali|авторизов|парол|認証|トークン|"
     "ログイン|パスワード|未授权|登录|密码|로그인|인증|비밀번호"},
    {ErrorKind::bug,
     "internal server error|internal error|panic:|segmentation fault|assertion failed|nil pointer|"
     "null pointer|on a `none` value|panicked at|undefined method|is not a function|cannot read "
     "propert|core dumped|unhandled exception|stack overflow|division by zero|interner fehler|"
     "erreur interne"},
    {ErrorKind::timeout,
     "timeout|timed out|time out|deadline exceeded|took too long|zeitüberschreitung|délai*dépassé|"
     "délai d'attente|tiempo de espera|tempo limite|tempo esgotado|tempo scaduto|время ожидания|"
     "таймаут|タイムアウト|超时|逾時|시간 초과|tijd verstreken|upłynął czas|przekroczono "
     "czas|limite de tempo|"
     "délai expiré|expiré le délai"},
    {ErrorKind::bad_path,
     "is a directory|not a directory|file name too long|name too long|levels of symbolic links"},
    {ErrorKind::too_large,
     "too large|too big|too long|zu groß|zu lang|trop grand|trop volumineu|demasiado grande|muito "
     "grande|troppo grande|te groot|zbyt duż|слишком больш|过大|大きすぎ|너무 큽|longer "
     "than|exceeds "
     "maximum|exceeds the maximum|exceeds the limit|exceeds the size|larger than|context length|"
     "entity too|payload too|size limit|too many tokens"},
    {ErrorKind::bad_path,
     "invalid path|path traversal|outside allowed|outside of allowed|outside the allowed"},
    {ErrorKind::bad_input,
     "not a file|not a git repository|wrongtype|wrong kind of value|syntax "
     "error|error*syntax|invalid syntax|invalid url|invalid "
     "argument|illegal|would be truncated|not-null|cannot be null|bad revision|violation|parse "
     "error|parsing "
     "error|unexpected "
     "token|unknown column|no such column|column \"|unknown option|unknown argument|unknown "
     "field|unknown parameter|unsupported argument|unrecognized|mismatched types|validation|"
     "malformed|is required|are required|field required|missing required|required parameter|"
     "required argument|required property|must be|must have|must match|must not|must contain|"
     "should match|cannot be empty|can't be empty|may not be empty|can't be blank|can not be empty|"
     "too short|shorter than|unexpected value|undefined field|one of:|allowed values|obbligatori|"
     "ongeldig|verplicht|nieprawidłow|niepoprawn|wymagan|należy podać|doit être|debe ser|deve ser|"
     "deve essere|muss |müssen|fehlt|manquant|falta |manca "
     "|ontbreekt|brakuje|参数错误|参数|パラメータ|입력|"
     "올바르지|必须|должно|должен|can not be blank|should be a|has to be|not a valid|is "
     "invalid|not "
     "valid|at most|at least|out of range|wrong type|type mismatch|not in a correct format|does "
     "not match|ungültig|erforderlich|pflichtfeld|invalide|obligatoire|requis|inválid|no es válid|"
     "obligatori|requerido|non "
     "valid|еверн|едопустим|еправильн|обязательн|無効|不正な|必須|无效|不能为空|格式错误|"
     "必填|잘못된|필수|유효하지"},
    {ErrorKind::missing,
     "file not found|no such file|command not found|unknown tool|unknown resource|cannot find "
     "module|did not match any|no rule to make"},
    {ErrorKind::not_built,
     "not implemented|not supported|unsupported|method not found|unknown method|not available in "
     "this version|noch nicht unterstützt"},
    {ErrorKind::conflict,
     "already|exists with|exist with|conflict|duplicate|unique constraint|foreign key|deadlock|"
     "could not serialize|another transaction|another operation|in progress|file exists|not empty|"
     "has been modified|eresolve|resolve dependency|is locked|state lock|locked by|lock file|"
     "version mismatch|precondition|checked out by|non-fast-forward|would be overwritten|was "
     "modified|has changed since|updates were rejected|refusing to merge|unrelated histories|stale|"
     "in use|not allowed in state|not allowed while|bereits|existe déjà|ya existe|já existe|esiste "
     "già|уже существует|已存在|已经存在|既に存在|すでに存在|이미 존재|bestaat al|już "
     "istnieje|gibt es schon|déjà "
     "utilisé|ya está|já está|già in uso"},
    {ErrorKind::not_allowed,
     "permission|forbidden|have authorization|access denied|access is denied|not allowed|not "
     "permitted|not authorized|not authorised|may not|only * may |only * can |not have access|no "
     "access|denied|no right|read-only|read only|insufficient privilege|insufficient_scope|higher "
     "privileges|missing scope|scope|blocked the|does not let|not let you|readonly|berechtigung|"
     "verweigert|autorisé|host key verification|externally-managed|refusé|denegado|permiso|negado|"
     "permissão|negato|autorizzat|запрещ|нет доступа|権限|拒否|权限|拒绝|권한|geweigerd|geen "
     "toegang|niet "
     "toegestaan|odmowa|brak dostępu|brak uprawnień|отказано|Отказано|нет прав|Нет прав|Доступ "
     "запрещ|nicht erlaubt|nicht berechtigt|keine rechte|interdit|prohibido|no autorizado|não "
     "autorizado|proibido|vietato|禁止|没有访问|policy"},
    {ErrorKind::dependency_down,
     "connection refused|connection*was refused|connection reset|resolve host|not resolved|"
     "certificate|connection closed|connection error|failed to connect|could not connect|unable to "
     "connect|cannot connect|can't connect|unreachable|not available|network error|fetch failed|"
     "bad gateway|unavailable|failed to start|failed to launch|socket hang up|name resolution|"
     "temporarily|is sealed|starting up|shutting down|maintenance|not reachable|overloaded|is "
     "offline|no route to|getaddrinfo|dns|closing connection|browser has been closed|target closed|"
     "loading the dataset|not able to persist|connection timed|broken pipe|not responding|is down|"
     "daemon running|nicht erreichbar|verbindung|connexion|injoignable|conectar|conexión|"
     "indisponible|no disponible|no está disponible|não está dispon|nicht verfügbar|pas disponible|"
     "conexão|indisponível|connettersi|connessione|non disponibile|niet bereikbaar|niet "
     "beschikbaar|onbereikbaar|połącz|niedostępn|wartung|en maintenance|en mantenimiento|em "
     "manutenção|manutenzione|onderhoud|メンテナンス|维护|점검|соединени|подключ|недоступ|Недоступ|"
     "接続|连接|連線|"
     "不可用|연결|currently loading|is loading|out of service|gateway error"},
    {ErrorKind::missing,
     "not found|couldn't find|wasn't found|weren't found|does not exist|doesn't exist|do not exist|"
     "don't exist|no such|could not find|cannot find|can't find|unable to find|no files matching|"
     "no matching|not in this registry|there is no|no longer exists|was deleted|not be found|"
     "doesn't have a |does not have a |doesn't have an |does not have an |unknown |nicht gefunden|"
     "existiert nicht|introuvable|n'existe pas|no encontrad|no se encontr|no existe|não encontrad|"
     "não existe|non trovat|non esiste|не найден|не "
     "существует|見つかりません|存在しません|不存在|找不到|未找到|没有找到|찾을 "
     "수 없|존재하지|niet gevonden|bestaat niet|nie znaleziono|nie istnieje|gibt es nicht|pas "
     "trouvé|"
     "nicht vorhanden|inexistente|inexistant|не существ|Не найден|отсутству"},
});

// Words that say little; they count only in a line in which nothing else names a kind.
constexpr auto kLastPhrases = std::to_array<PhraseGroup>({
    {ErrorKind::bug, "unexpected"},
    {ErrorKind::bad_input, "invalid|required|expected|missing|bad request|usage:|violat"},
    {ErrorKind::missing, "no * found|no results|no route|no record|nothing found"},
});

// Names of exceptions, separated by spaces and not by '|'.
constexpr auto kExceptions = std::to_array<PhraseGroup>({
    {ErrorKind::missing,
     "filenotfounderror filenotfoundexception notfounderror notfoundexception nosuchfileexception "
     "doesnotexist objectdoesnotexist recordnotfound nosuchelementexception keynotfoundexception"},
    {ErrorKind::not_allowed,
     "permissionerror unauthorizedaccessexception accessdeniedexception securityexception "
     "permissiondenied"},
    {ErrorKind::timeout,
     "timeouterror timeoutexception sockettimeoutexception readtimeout connecttimeout "
     "readtimeouterror timeoutexpired asynctimeouterror"},
    {ErrorKind::dependency_down,
     "connectionerror connectionrefusederror connectionreseterror connectexception "
     "unknownhostexception connecterror maxretryerror newconnectionerror sslerror "
     "clientconnectorerror gaierror"},
    {ErrorKind::bad_input,
     "valueerror validationerror illegalargumentexception argumentexception argumenterror "
     "jsondecodeerror syntaxerror unicodedecodeerror zoderror programmingerror parseexception "
     "numberformatexception formatexception requestvalidationerror badrequest typeguarderror"},
    {ErrorKind::conflict, "integrityerror fileexistserror conflicterror concurrencyexception"},
    {ErrorKind::exhausted, "memoryerror outofmemoryerror outofmemoryexception"},
    {ErrorKind::not_built,
     "notimplementederror notimplementedexception unsupportedoperationexception"},
    {ErrorKind::bug,
     "keyerror indexerror attributeerror zerodivisionerror nameerror assertionerror "
     "nullpointerexception nullreferenceexception typeerror referenceerror rangeerror "
     "nomethoderror indexoutofboundsexception arrayindexoutofboundsexception unboundlocalerror "
     "recursionerror importerror modulenotfounderror illegalstateexception"},
});

// Words of a code such as `channel_not_found`, after words_of(), each followed by a space; the
// first group decides.
constexpr auto kCodePhrases = std::to_array<PhraseGroup>({
    {ErrorKind::throttled,
     "rate limit|ratelimit|rate exceeded|too many requests|toomanyrequests|throttl|request limit "
     "exceeded|usage limit exceeded|slow down|over query limit|complexity|too many attempts|flood "
     "wait|too fast"},
    {ErrorKind::exhausted,
     "quota exceeded|over quota|insufficient quota|quota exhausted|insufficient fund|insufficient "
     "credit|insufficient balance|out of credit|no credit|credit exhausted|credits exhausted|"
     "balance too low|budget exceeded"},
    {ErrorKind::tier_too_low, "paid|payment|upgrade required|plan |license|subscription|billing"},
    {ErrorKind::flag_off, "disabled|not enabled|feature off"},
    {ErrorKind::unauthenticated,
     "must be logged in|must be authenticated|must authenticate|unauthorized|unauthenticated|not "
     "authed|invalid auth|auth required|login required|expired token|token expired|invalid token|"
     "invalid session|invalid credential|invalid password|invalid login|login failed|invalid "
     "client token|invalid grant|invalid api key|invalid access key|signature does not match|web "
     "token|token revoked|bad credentials|session expired|invalid client|user key|api key|access "
     "key|unauthorized client|invalid key|invalid app|invalid secret|invalid signature|invalid "
     "apikey|not logged in|signin required|credential|authentication"},
    {ErrorKind::not_allowed,
     "denied|forbidden|not authorized|authorization failed|unauthorized operation|permission|not "
     "allowed|missing scope|missing access|access restricted|readonly|read only|insufficient "
     "privilege|not in channel|restricted action|is archived"},
    {ErrorKind::exhausted,
     "limit exceeded|capacity|exhausted|no space|out of memory|storage full|busy"},
    {ErrorKind::too_large, "too large|too long|too big|size exceeded|max length|context length"},
    {ErrorKind::timeout, "timeout|timed out|timedout|deadline"},
    {ErrorKind::conflict,
     "already|exists|taken|conflict|duplicate|conditional check failed|precondition|in use|locked|"
     "version mismatch|eresolve|not empty|state invalid|invalid state|concurrent|locking|deadlock"},
    {ErrorKind::missing,
     "not found|notfound|no such|missing resource|resource missing|unknown channel|unknown guild|"
     "unknown message|unknown user|unknown member|unknown role|does not exist|manifest unknown|"
     "name unknown|blob unknown|not exist|no results|no route|no match|no data|nonexist|no record|"
     "gone "},
    {ErrorKind::not_built,
     "not implemented|unsupported|not supported|unimplemented|method not found"},
    {ErrorKind::dependency_down,
     "unavailable|not available|no host|connection refused|connection reset|connection closed|name "
     "not resolved|internet disconnected|bad gateway|unreachable|network error|service down|"
     "dependency|upstream|cert authority|cert "},
    {ErrorKind::bad_input,
     "invalid|validation|malformed|bad request|missing required|missing param|missing field|syntax|"
     "parse error|parsing exception|out of range|bad user input|unprocessable|blank|too short|"
     "graphql parse|query shard|illegal argument|argument"},
    {ErrorKind::bug, "internal|server error|unexpected"},
});

// Words of a message beside status 403 that say that the caller is not authenticated; other
// services answer 401 then.
constexpr std::string_view kBadCredentials =
    "invalid token|token is invalid|token expired|expired token|token has expired|token is expired|"
    "invalid access token|invalid api key|or api key|invalid application|api key is invalid|api "
    "key not valid|invalid credentials|bad credentials|not logged in|session expired|session has "
    "expired";

// SQLSTATE classes (two characters), and whole codes whose kind differs from that of their class;
// separated by spaces.
constexpr auto kSqlStates = std::to_array<PhraseGroup>({
    {ErrorKind::missing, "42P01 42883 3D000 42704"},
    {ErrorKind::not_allowed, "42501 25006"},
    {ErrorKind::timeout, "57014"},
    {ErrorKind::conflict, "23 40 55 42P07 42701"},
    {ErrorKind::unauthenticated, "28"},
    {ErrorKind::exhausted, "53"},
    {ErrorKind::dependency_down, "08 57"},
    {ErrorKind::bad_input, "22 42"},
});

}  // namespace enfold::contract
