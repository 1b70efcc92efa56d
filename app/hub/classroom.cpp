#include "hub/classroom.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.h"
#include "base/files.h"
#include "service/gpu_queue.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

const TokenHolder kOnlyUser = {"local", HolderKind::student};
constexpr int64_t kMostEnding = 4;             // engines of one student, at once
constexpr int64_t kEnginesOfThisMachine = 16;  // of the one student where there are no tokens
constexpr double kDiskKnown_s = 5;  // for so long what a folder holds is not counted anew

void make_private_folder(const fs::path& folder) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (!failure) fs::permissions(folder, fs::perms::owner_all, failure);
    if (failure)
        throw Error(Status::bad_input, "cannot keep the students' folders in " + folder.string() +
                                           ": " + failure.message() +
                                           "; choose another with --folder");
}

fs::path canonical_or_same(const fs::path& path) {
    std::error_code failure;
    fs::path whole = fs::canonical(path, failure);
    return failure ? path : whole;
}

}  // namespace

Classroom::Classroom(HubOptions options) : options_(std::move(options)) {
    read_again();
    make_private_folder(options_.folder);
    options_.folder = canonical_or_same(options_.folder);
    lock_folder();
    make_private_folder(options_.folder / "students");
    fs::remove_all(options_.folder / "guests");  // of a server that was killed
    make_private_folder(options_.folder / "guests");
    content_ = canonical_or_same(lanewise::content_folder());
    queue_ = gpu_queue_folder();
    ::mkdir(queue_.c_str(), 01777);
    environment_ = environment_for_engines();

    fs::path trial = options_.folder / "guests" / "trial";
    make_private_folder(trial);
    no_wall_ = lanewise::why_no_wall(wall_for(trial), options_.engine_prefix);
    fs::remove_all(trial);
    refuse_open_address();
}

// The lock goes with the process, however that ends.
void Classroom::lock_folder() {
    std::string file = (options_.folder / "lock").string();
    lock_ = Descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock_.is_open() || ::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
        throw Error(Status::bad_input, "another server keeps its students in " +
                                           options_.folder.string() +
                                           "; give this one another folder, with --folder");
}

void Classroom::refuse_open_address() const {
    if (options_.address.is_loopback()) return;
    std::string others = "others reach " + options_.address.host + ": ";
    if (!has_tokens())
        throw Error(Status::bad_input, others +
                                           "give each of them a token, with --token-file FILE "
                                           "(lanewise-engine tokens NAME… makes them)");
    if (!no_wall_.empty())
        throw Error(Status::bad_input, others + "their engines need a sandbox, and " + no_wall_);
}

void Classroom::read_again() {
    TokenFile tokens;
    ClassFile of_class;
    if (!options_.token_file.empty()) tokens = TokenFile(options_.token_file);
    if (!options_.class_file.empty()) of_class = read_class_file(options_.class_file);
    for (const std::string& path : of_class.readable) {
        if (!fs::exists(path))
            throw Error(Status::bad_input, options_.class_file.string() + ": readable names " +
                                               path + ", which is not there");
        for (const fs::path& secret : {options_.token_file, options_.class_file, options_.folder}) {
            fs::path way =
                canonical_or_same(fs::absolute(secret)).lexically_relative(canonical_or_same(path));
            if (!secret.empty() && !way.empty() && *way.begin() != "..")
                throw Error(Status::bad_input, options_.class_file.string() + ": readable names " +
                                                   path + ", which holds " + secret.string() +
                                                   ": students must not read that");
        }
    }
    tokens_ = std::move(tokens);
    class_ = std::move(of_class);
}

Classroom::Check Classroom::check(const std::string& token, const std::string& address,
                                  double now_s) {
    Check result;
    if (!has_tokens()) {
        result.holder = &kOnlyUser;
        return result;
    }
    result.refused_s = wrong_.refused_s(address, now_s);
    if (result.refused_s > 0) return result;
    result.holder = tokens_.holder_of(token);
    if (!result.holder) result.hold_s = wrong_.note(address, now_s);
    return result;
}

std::unique_ptr<Seat> Classroom::take_seat(const TokenHolder& holder, double now_s,
                                           std::string& why) {
    const ClassLimits& limits = class_.limits;
    if (seats_taken_ >= limits.connections) {
        why = fmt::format("all {} places of this server are taken; try again later",
                          limits.connections);
        return nullptr;
    }
    auto seat = std::make_unique<Seat>();
    seat->name = holder.name;
    seat->folder = options_.folder / "students" / holder.name;
    if (holder.kind == HolderKind::everybody) {
        seat->name = fmt::format("{}.{}", holder.name, ++guests_);
        seat->folder = options_.folder / "guests" / seat->name;
        seat->is_kept = false;
    }
    Account& account = accounts_[seat->name];
    if (now_s < account.rest_until_s) {
        why = fmt::format("your last engine was ended; the next one can start in {:.0f} s",
                          account.rest_until_s - now_s);
        return nullptr;
    }
    int64_t most = has_tokens() ? limits.engines_per_student : kEnginesOfThisMachine;
    if (account.engines >= most) {
        why = fmt::format("{} engines run with your token already: close another window first",
                          account.engines);
        return nullptr;
    }
    if (account.ending >= kMostEnding) {
        why = "your last engines are still ending; try again in a moment";
        return nullptr;
    }
    if (!has_room_on_disk(*seat, account, now_s, why)) return nullptr;
    make_private_folder(seat->folder);
    ++account.engines;
    ++seats_taken_;
    return seat;
}

// A folder that is over is emptied as soon as no engine uses it: what it holds was compiled, and can be again.
bool Classroom::has_room_on_disk(const Seat& seat, Account& account, double now_s,
                                 std::string& why) {
    if (account.disk_seen_s < 0 || now_s - account.disk_seen_s > kDiskKnown_s)
        note_disk(seat.name, disk_use(seat.folder), now_s);
    why = disk_problem(account.disk, class_.limits.disk_megabytes);
    if (why.empty()) return true;
    if (account.engines + account.ending > 0) return false;
    std::error_code ignored;
    fs::remove_all(seat.folder, ignored);
    note_disk(seat.name, disk_use(seat.folder), now_s);
    why = disk_problem(account.disk, class_.limits.disk_megabytes);
    if (!why.empty()) why = "your folder cannot be emptied; tell your teacher";
    return why.empty();
}

std::string Classroom::note_disk(const std::string& name, const DiskUse& use, double now_s) {
    Account& account = accounts_[name];
    account.disk = use;
    account.disk_seen_s = now_s;
    return disk_problem(use, class_.limits.disk_megabytes);
}

Speaker Classroom::speaker_for(const TokenHolder& holder, const Seat* seat) {
    Speaker speaker{seat ? seat->name : holder.name};
    speaker.teaches = holder.kind == HolderKind::teacher || !has_tokens();
    speaker.votes = holder.kind != HolderKind::teacher;
    speaker.has_name = holder.kind != HolderKind::everybody;
    if (!seat && !speaker.has_name) speaker.name = fmt::format("{}.{}", holder.name, ++guests_);
    return speaker;
}

// A page that is loaded anew comes before its last engine has ended.
void Classroom::leave(const Seat& seat) {
    --accounts_[seat.name].engines;
    ++accounts_[seat.name].ending;
}

void Classroom::give_back(const Seat& seat) {
    --seats_taken_;
    auto found = accounts_.find(seat.name);
    if (found == accounts_.end()) return;
    --found->second.ending;
    if (!seat.is_kept) accounts_.erase(found);  // nobody will be called so again
}

void Classroom::let_rest(const Seat& seat, double now_s) {
    if (has_tokens())
        accounts_[seat.name].rest_until_s = now_s + static_cast<double>(class_.limits.rest_s);
}

double Classroom::start_wait_s(const Seat& seat, double now_s) const {
    auto found = accounts_.find(seat.name);
    if (!has_tokens() || found == accounts_.end()) return 0;
    return found->second.heat.start_wait_s(static_cast<double>(class_.limits.renice_after_cpu_s), now_s);
}

void Classroom::note_start(const Seat& seat, double now_s) {
    accounts_[seat.name].heat.add(Heat::kStart_s, now_s);
}

int Classroom::note_work(const Seat& seat, double cpu_s, double now_s) {
    Heat& heat = accounts_[seat.name].heat;
    heat.add(cpu_s, now_s);
    return has_tokens() ? heat.nice(static_cast<double>(class_.limits.renice_after_cpu_s), now_s) : 0;
}

StudentWall Classroom::wall_for(const fs::path& student) const {
    StudentWall wall;
    wall.program = canonical_or_same(program_folder() / "lanewise-engine");
    wall.content = content_;
    wall.student = student;
    wall.queue = queue_;
    wall.readable = class_.readable;
    if (const char* driver = std::getenv("LANEWISE_CUDA_DRIVER"); driver && *driver == '/')
        wall.readable.push_back(driver);
    wall.environment = environment_;
    wall.environment.push_back("LANEWISE_TURN_S=" + std::to_string(class_.limits.turn_s));
    return wall;
}

std::vector<std::string> Classroom::engine_command(const Seat& seat) const {
    std::vector<std::string> arguments = {"serve", "--memory-limit",
                                          std::to_string(class_.limits.memory_megabytes)};
    arguments.insert(arguments.end(), options_.engine_arguments.begin(),
                     options_.engine_arguments.end());
    StudentWall wall = wall_for(seat.folder);
    std::vector<std::string> words = options_.engine_prefix;
    std::vector<std::string> rest =
        has_wall() ? within_wall(wall, arguments) : without_wall(wall, arguments);
    words.insert(words.end(), rest.begin(), rest.end());
    return words;
}

}  // namespace lanewise
